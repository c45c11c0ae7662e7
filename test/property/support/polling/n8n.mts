import type { IDataObject } from 'n8n-workflow';
import type { Polling } from '../../../../nodes/CarrierLoadCommunicationsPollingTrigger/collect.ts';
import {
	EVENTS,
	type EventName,
} from '../../../../nodes/CarrierLoadCommunicationsPollingTrigger/events.ts';
import {
	newMemory,
	pollOnce,
} from '../../../../nodes/CarrierLoadCommunicationsPollingTrigger/poll.ts';
import type { JsonObject } from '../../../../nodes/shared/service/json.ts';
import { MINUTE, serviceOf, type Step, type World } from './world.mts';

const HOUR = 60 * MINUTE;
export const OVERLAP = HOUR;

/**
 * n8n as the trigger sees it, like test/engine/support/harness/polling/active-poller.mts, which the
 * contract test checks. Static data is kept in memory and saved when the workflow is published and
 * when an execution starts; a cursor is saved with the execution and after empty polls.
 */
export class PolledByN8n {
	/** Rows in the order of delivery. */
	readonly delivered: JsonObject[] = [];
	/** When each of them was delivered. */
	readonly deliveredAt: number[] = [];
	/** Rows that may be returned once more, because n8n forgot that they were delivered. */
	readonly forgotten: JsonObject[] = [];
	readonly failures: string[] = [];
	now = 0;
	carrier: 'A' | 'B' | undefined;

	/** When the filter was changed, and the last poll before that. */
	readonly changes: Array<{ at: number; polledAt: number; deliveredBefore: number }> = [];

	private polledAt = 0;
	private memory: IDataObject = {};
	private stored = '{}';
	/** What the n8n process knows of the node. */
	private process = newMemory();
	private losesSave = false;
	readonly world: World;
	private readonly event: EventName;

	constructor(world: World, event: EventName) {
		this.world = world;
		this.event = event;
	}

	async publish(): Promise<void> {
		this.memory = JSON.parse(this.stored) as IDataObject;
		await this.poll();
		this.stored = JSON.stringify(this.memory);
	}

	async step(does: Step): Promise<void> {
		if (does === 'crash') return await this.restart();
		if (does === 'filter') return await this.changeFilter();
		if (does === 'losesSave') {
			this.losesSave = true;
			await this.poll();
			this.losesSave = false;
			return await this.restart();
		}
		if (does === 'overlap') return void (await Promise.all([this.poll(), this.poll()]));
		if (does === 'fail') return await this.poll({ failAfter: 0 });
		if (does === 'halfway') return await this.poll({ failAfter: 1 });
		if (does === 'hurry') return await this.poll({ isLate: true });
		if (does === 'part') return await this.poll({ isShort: true });
		await this.poll();
	}

	private async changeFilter(): Promise<void> {
		const deliveredBefore = this.delivered.length;
		this.changes.push({ at: this.now, polledAt: this.polledAt, deliveredBefore });
		this.carrier = this.carrier === 'A' ? 'B' : 'A';
		await this.publish();
	}

	private async restart(): Promise<void> {
		this.process = newMemory();
		await this.publish();
	}

	private async poll({
		failAfter = Infinity,
		isLate = false,
		isShort = false,
	} = {}): Promise<void> {
		const { memory, world } = this;
		const before = world.durable ? JSON.stringify(memory) : '';
		const cursor = world.durable ? (JSON.parse(before) as IDataObject) : memory;
		const list = this.event === 'newBid' ? 'bids' : 'calls';
		const service = serviceOf(world, list, () => this.now, this.carrier);
		const { pace } = this.process;
		let requests = 0;
		if (isShort) pace.rangeMs = 20 * MINUTE;
		const polling: Polling = {
			...{ event: EVENTS[this.event], overlapMs: OVERLAP, giveUpMs: 24 * HOUR, pace },
			stopAt: isShort ? 0 : Infinity,
			warn: () => undefined,
			read: async (range, limit) => {
				if (requests++ >= failAfter) throw new Error('no answer');
				if (isLate) {
					pace.rangeMs = (range.to - range.from) / 4;
					throw new Error('the time is up');
				}
				// Other polls start meanwhile.
				await Promise.resolve();
				return await service(range, limit);
			},
		};
		try {
			const rows = await pollOnce({
				...{ polling, memory: this.process, credential: 'one', staticData: cursor },
				settings: {
					...{
						event: this.event,
						output: 'all',
						moreNames: {},
						overlapMs: OVERLAP,
						giveUpMs: 24 * HOUR,
					},
					...{ catchUpMs: 24 * HOUR, historyMs: 0 },
					filters: this.carrier === undefined ? {} : { mcNumber: this.carrier },
				},
			});
			const after = world.durable ? JSON.stringify(cursor) : '';
			if (after !== before || (world.durable && rows.length > 0)) {
				this.memory = cursor;
				this.stored = after;
			}
			this.polledAt = this.now;
			this.emit(rows);
		} catch (error) {
			this.failures.push(String(error));
		}
	}

	private emit(rows: JsonObject[]): void {
		if (rows.length === 0) return;
		this.delivered.push(...rows);
		this.deliveredAt.push(...rows.map(() => this.now));
		if (this.world.durable) return;
		if (this.losesSave) this.forgotten.push(...rows);
		else this.stored = JSON.stringify(this.memory);
	}
}
