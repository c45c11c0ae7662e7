import { simplifiedEvent } from '../../../nodes/CarrierLoadCommunicationsTrigger/deliver.ts';
import { readEvents } from '../../../nodes/CarrierLoadCommunicationsTrigger/parse.ts';

const at = '2026-11-20T14:06:00.000Z';
const zone = 'America/Chicago';
const localTime = '2026-11-20 08:06 CST';
function received(body: object) {
	const events = readEvents(body, at);
	if (!Array.isArray(events) || !events[0]) throw new Error('There is no event');
	return events[0];
}

const metadata = { loadNumber: '48213', team: 'north', n8nExecutionId: '7', n8nItem: 0 };
const numbers = { toPhone: '+13125550188', fromPhone: '+13125550100' };
const said = {
	summary: 'Twenty miles out.',
	recordingUrl: 'https://r.test/7.wav',
};
const ended = {
	...{ event: 'call_ended', callId: 7, createdAt: '2026-11-20T14:05:00Z', ...numbers, ...said },
	...{ contentTags: ['delayed', 'weather'], extractedData: { eta: '3 pm', delayed: true } },
	...{ formattedTranscript: 'Driver: Twenty miles out.', transcript: [{ role: 'user' }] },
	inputData: { ...numbers, loadNumber: '48213', metadata },
};
const shapes: Array<[string, object]> = [
	['as in the field', ended],
	['with data', { event: 'call_ended', data: { ...ended, event: undefined } }],
	['with call', { type: 'call_ended', call: ended, metadata }],
	['with a payload', { payload: { data: ended } }],
	['in a list', [ended]],
	['in an envelope', { id: 'e1', events: [ended] }],
];

describe.each(shapes)('an event %s', (_shape, body) => {
	it('has what was said at the top of its item', () => {
		const { item } = received(body);
		expect(item).toMatchObject({ ...numbers, ...said, contentTags: ['delayed', 'weather'] });
		const names = Object.keys(item);
		for (const name of ['summary', 'contentTags', 'recordingUrl', 'toPhone', 'fromPhone']) {
			expect(names.indexOf(name)).toBeLessThan(names.indexOf('callId'));
		}
		expect(names.slice(-2)).toEqual(['metadata', 'payload']);
	});

	it('is one flat row with Simplified', () => {
		expect(Object.entries(simplifiedEvent(received(body), zone))).toEqual([
			['localTime', '2026-11-20 08:05 CST'],
			['createdAt', '2026-11-20T14:05:00Z'],
			['receivedAt', at],
			['loadNumber', '48213'],
			['toPhone', '+13125550188'],
			['fromPhone', '+13125550100'],
			['event', 'call_ended'],
			['contentTags', 'delayed, weather'],
			['summary', 'Twenty miles out.'],
			['callId', 7],
			['recordingUrl', 'https://r.test/7.wav'],
			['transcript', 'Driver: Twenty miles out.'],
			['extracted_eta', '3 pm'],
			['extracted_delayed', true],
			['metadata_team', 'north'],
		]);
	});
});

it('Simplified keeps what else an event says in words and numbers', () => {
	const bid = { event: 'bid_created', loadId: 48213, amount: 1850, notes: 'Wants more.' };
	expect(simplifiedEvent(received({ ...bid, carrier: { name: 'Blue Mesa' } }), zone)).toEqual({
		localTime,
		...{ receivedAt: at, event: 'bid_created', loadNumber: '48213' },
		...{ amount: 1850, notes: 'Wants more.' },
	});
});

it('Simplified has the load of the metadata, and no resume URL', () => {
	const url = 'https://n8n.test/webhook-waiting/7';
	const event = received({ event: 'ended', metadata: { loadId: 'L1', n8nResumeUrl: url } });
	const flat = simplifiedEvent(event, zone);
	expect(flat).toEqual({ localTime, receivedAt: at, event: 'ended', loadNumber: 'L1' });
});
