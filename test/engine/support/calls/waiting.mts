import type { IConnections, INodeParameters } from 'n8n-workflow';
import type { EngineRun, WorkflowJson } from '../harness/index.mts';
import { checkCall, type Dispatch } from './dispatch.mts';

/** The resume URL that the service received with a call. */
export function resumeUrl(dispatch: Dispatch, call = -1): URL {
	const metadata = dispatch.sandbox.ledger.dialed().at(call)?.metadata;
	return new URL(String(metadata?.n8nResumeUrl));
}

/**
 * Sends an event to a waiting execution, as the trigger does. `run` is undefined if it keeps
 * waiting.
 */
export async function sendEvent(
	dispatch: Dispatch,
	run: EngineRun,
	event: unknown,
	url = resumeUrl(dispatch),
) {
	const query = Object.fromEntries(url.searchParams);
	return await dispatch.engine.resumeByWebhook(run, { body: event, query });
}

const main = (...outputs: string[][]) => ({
	main: outputs.map((names) => names.map((node) => ({ node, type: 'main' as const, index: 0 }))),
});

function around(parameters: INodeParameters, nodes: WorkflowJson['nodes'], links: IConnections) {
	return {
		id: 'savedWorkflow',
		nodes: [
			{ name: 'Start', type: 'testNodes.start', id: 'start' },
			{
				...{ name: 'Call', id: 'call' },
				type: 'n8n-nodes-carrier-load-communications.carrierLoadCommunications',
				parameters: { ...checkCall, waitForOutcome: 'webhook', waitLimit: 5, ...parameters },
			},
			...nodes,
		],
		connections: links,
	};
}

/** Start → Call → timed out? → call again, up to `calls` calls. */
export const redialLoop = (calls: number): WorkflowJson =>
	around(
		{
			...{ toPhone: '={{ $json.phone ?? $json.toPhone }}' },
			...{ loadNumber: '={{ $json.load ?? $json.loadNumber }}' },
			...{ rules: { skipIfCalledWithin: 0 }, options: { lookForLostAnswers: 0.1 } },
		},
		[
			{
				...{ name: 'Timed Out', type: 'testNodes.split' },
				parameters: { condition: `={{ $json.timedOut && $runIndex < ${calls - 1} }}` },
			},
			{ name: 'End', type: 'testNodes.pass' },
		],
		{ Start: main(['Call']), Call: main(['Timed Out']), 'Timed Out': main(['Call'], ['End']) },
	);

/** Start → Loop Over Items, one at a time → Call → back to the loop → End. */
export const itemLoop = (parameters: INodeParameters = {}): WorkflowJson =>
	around(
		parameters,
		[
			{ name: 'Loop', type: 'testNodes.loop', parameters: { batchSize: 1 } },
			{ name: 'End', type: 'testNodes.pass' },
		],
		{ Start: main(['Loop']), Loop: main(['End'], ['Call']), Call: main(['Loop']) },
	);
