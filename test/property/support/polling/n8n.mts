import type { IDataObject } from 'n8n-workflow';
import {
	EVENTS,
	type EventName,
} from '../../../../nodes/CarrierLoadCommunicationsPollingTrigger/events.ts';
import { pollOnce } from '../../../../nodes/CarrierLoadCommunicationsPollingTrigger/collections.ts';
import type { JsonObject } from '../../../../nodes/shared/service/http/json.ts';
import { MINUTE, serviceOf, type Step, type World } from './world.mts';

const HOUR = 60 * MINUTE;
export const OVERLAP = HOUR;
let processes = 0;

/**
 * n8n as the trigger sees it, like test/engine/support/harness/polling/active-poller.mts, which the
 * contract test checks. Static data is kept in memory and saved when the workflow is published and
 * when an execution starts; a cursor is saved with the execution and after empty polls.
 */
export class PolledByN8n {
	/** Rows in the order of delivery. */
	readonly delivered: JsonObject[] = [];
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
	private process = `process ${++processes}`;
	private losesSave = false;
	/** Lets the service answer a poll whose time was up. */
	private release: () => void = () => undefined;

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
		this.release();
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
		if (does === 'hurry') return await this.poll({ isShort: true });
		await this.poll();
	}

	private async changeFilter(): Promise<void> {
		const deliveredBefore = this.delivered.length;
		this.changes.push({ at: this.now, polledAt: this.polledAt, deliveredBefore });
		this.carrier = this.carrier === 'A' ? 'B' : 'A';
		await this.publish();
	}

	private async restart(): Promise<void> {
		this.process = `process ${++processes}`;
		await this.publish();
	}

	private async poll({ failAfter = Infinity, isShort = false } = {}): Promise<void> {
		const { memory, world } = this;
		const before = world.durable ? JSON.stringify(memory) : '';
		const cursor = world.durable ? (JSON.parse(before) as IDataObject) : memory;
		const list = this.event === 'newBid' ? 'bids' : 'calls';
		const service = serviceOf(world, list, () => this.now, this.carrier);
		let requests = 0;
		const held = isShort && new Promise<void>((resolve) => (this.release = resolve));
		try {
			const rows = await pollOnce({
				...{ node: { key: this.process, name: 'Poll' }, event: EVENTS[this.event] },
				warn: () => undefined,
				settings: {
					...{ event: this.event, overlapMs: OVERLAP, giveUpMs: 24 * HOUR, historyMs: 0 },
					...{ catchUpMs: 24 * HOUR, account: 'one' },
					filters: this.carrier === undefined ? {} : { mcNumber: this.carrier },
				},
				...{ staticData: cursor, waitMs: isShort ? 0 : HOUR },
				read: async (...range) => {
					if (requests++ >= failAfter) throw new Error('no answer');
					if (held) await held;
					return await service(...range);
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
		if (this.world.durable) return;
		if (this.losesSave) this.forgotten.push(...rows);
		else this.stored = JSON.stringify(this.memory);
	}
}
