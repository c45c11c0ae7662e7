import { setTimeout as wait } from 'node:timers/promises';

/** An event of the TMS: a load has departed, and its driver is to be called. */
export interface TmsEvent {
	load: string;
	phone: string;
	/** When it was first sent, as Unix milliseconds; 0 before that. */
	sentAt: number;
}

const AREAS = [312, 773, 815, 847, 630, 708, 309, 217, 618, 414];

/** @param round so that each round has numbers and loads of its own */
export function newEvents(round: number, count: number): TmsEvent[] {
	return Array.from({ length: count }, (_, nth) => ({
		load: `F${round}-${String(nth).padStart(4, '0')}`,
		phone: `+1${AREAS[round % AREAS.length]}${555 + Math.floor(nth / 10_000)}${String(nth).padStart(4, '0')}`,
		sentAt: 0,
	}));
}

/** Sends events, several at a time, each until one of the URLs has taken it. */
export async function sendEvents(events: TmsEvent[], urls: () => string[], senders = 8) {
	const left = events.values();
	const sender = async () => {
		for (const event of left) await send(event, urls);
	};
	await Promise.all(Array.from({ length: senders }, sender));
}

/** @throws when no process takes it for ten minutes */
async function send(event: TmsEvent, urls: () => string[]): Promise<void> {
	event.sentAt ||= Date.now();
	const deadline = Date.now() + 600_000;
	for (let attempt = 0; Date.now() < deadline; attempt++) {
		const all = urls();
		const url = all[(attempt + event.load.charCodeAt(event.load.length - 1)) % all.length] ?? '';
		const status = await post(url, event).catch(() => 0);
		if (status === 200) return;
		await wait(500);
	}
	throw new Error(`Nothing took the event of load ${event.load}`);
}

async function post(url: string, { load, phone }: TmsEvent): Promise<number> {
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ event: 'load.departed', load, phone }),
		signal: AbortSignal.timeout(60_000),
	});
	await response.arrayBuffer();
	return response.status;
}
