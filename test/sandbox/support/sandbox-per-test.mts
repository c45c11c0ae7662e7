import { type Sandbox, type SandboxOptions, startSandbox } from '../../../sandbox/index.mts';
import { frozenHistory } from './requests.mts';

/** Starts sandboxes that are closed when the test ends, even if it fails. */
export function sandboxPerTest(): (options?: SandboxOptions) => Promise<Sandbox> {
	const started: Sandbox[] = [];
	afterEach(async () => {
		await Promise.all(started.splice(0).map((sandbox) => sandbox.close()));
	});
	return async (options = {}) => {
		const sandbox = await startSandbox({ ...frozenHistory, ...options });
		started.push(sandbox);
		return sandbox;
	};
}
