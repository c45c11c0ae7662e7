import type { IDataObject } from 'n8n-workflow';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/index.mts';
import type { Engine } from '../harness/index.mts';
import { clock } from './simulated-clock.mts';

/** A service of the simulated days, in which no call ends by itself. */
export async function openSandbox(options: SandboxOptions = {}) {
	return await startSandbox({
		...{
			calls: 40,
			historyDays: 2,
			now: () => new Date(clock.now),
			callDelayMs: Number.POSITIVE_INFINITY,
		},
		...options,
	});
}

/** Makes triggers that remember from poll to poll, as n8n has it. */
export const triggersOf =
	(stage: () => { engine: Engine; sandbox: Sandbox }) => (parameters: object) => {
		let staticData: IDataObject = {};
		const poll = async (mode: 'trigger' | 'manual' = 'trigger') => {
			const { baseUrl, tokens } = stage().sandbox;
			const credentials = {
				carrierLoadCommunicationsApi: { baseUrl, accessToken: tokens.north },
			};
			const polled = await stage().engine.poll(parameters as never, {
				credentials,
				staticData,
				mode,
			});
			if (polled.error === undefined) staticData = polled.staticData;
			return polled;
		};
		return {
			poll,
			size: () => JSON.stringify(staticData).length,
			/** Ids of the records of one poll that has to work. */
			async ids(key = 'id') {
				const { items = [], error } = await poll();
				expect(error).toBeUndefined();
				return items.map((item) => item[key]);
			},
		};
	};
