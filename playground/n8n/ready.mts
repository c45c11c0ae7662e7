import type { Child } from '../process/child.mts';
import { EXIT_FAILED, UserError } from '../process/user-error.mts';

/** What each command prints when it is ready (n8n 2.41). */
const READY_LINE = {
	start: 'Editor is now accessible via',
	worker: 'n8n worker is now ready',
	webhook: 'Webhook listener waiting for requests',
};

/**
 * Resolves when n8n is ready.
 * @throws UserError when it exits before that, or takes longer
 */
export async function waitUntilReady(
	child: Child,
	command: keyof typeof READY_LINE,
	withinMs: number,
	logFile: string,
): Promise<void> {
	const ready = child
		.printed(READY_LINE[command])
		.then(() => (child.isRunning() ? 'ready' : child.exited));
	const late = AbortSignal.timeout(withinMs);
	const tooLate = new Promise<'late'>((resolve) => {
		late.addEventListener('abort', () => resolve('late'));
	});
	const outcome = await Promise.race([ready, child.exited, tooLate]);
	if (outcome === 'ready') return;
	await child.stop();
	const why =
		outcome === 'late' ? `was not ready within ${withinMs / 1000} s` : `stopped (${outcome})`;
	throw new UserError(`n8n ${why} while starting${reason(child)}. Log: ${logFile}`, EXIT_FAILED);
}

/** The line of n8n's output that most likely says why. */
function reason(child: Child): string {
	const line = child.lastLines().findLast((one) => /error|failed|cannot|not available/i.test(one));
	return line === undefined ? '' : ` ("${line.trim().slice(0, 160)}")`;
}
