import type { INodeParameters } from 'n8n-workflow';
import type { EngineRun } from '../harness/index.mts';
import { openDispatch, type Dispatch, type DispatchRun } from './dispatch.mts';

/** The engine and the sandbox for all tests of a file, without what the test before has left. */
export function useDispatch(): Dispatch {
	const dispatch = {} as Dispatch;
	beforeAll(async () => void Object.assign(dispatch, await openDispatch()));
	afterAll(() => dispatch.close());
	beforeEach(() => dispatch.reset());
	return dispatch;
}

/** Runs the node with calling rules. */
export function withRules(dispatch: Dispatch) {
	return async (
		rules: object,
		parameters: INodeParameters = {},
		options: DispatchRun = {},
	): Promise<EngineRun> =>
		await dispatch.run(
			{ ...parameters, rules: { ...rules, ...Object(parameters.rules) } },
			options,
		);
}

/** The rule Calling Hours. */
export const hoursRule = (range: INodeParameters) => ({ hours: { range } });
