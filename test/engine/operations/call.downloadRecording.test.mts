import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IBinaryData } from 'n8n-workflow';
import { core, di } from '../support/harness/n8n.mts';
import { startNodeRunner, failure, type NodeRunner } from '../support/operations/node-runner.mts';

let runner: NodeRunner;
let call: { id: number; createdAt: string; recordingUrl: string; loadIds: string[] };

beforeAll(async () => {
	runner = await startNodeRunner();
	const { items } = await runner.run({
		resource: 'call',
		operation: 'getAll',
		timeRange: 'last30Days',
		output: 'all',
		limit: 5,
	});
	call = items.find(({ recordingUrl }) => recordingUrl) as unknown as typeof call;
});
afterAll(() => runner.close());
beforeEach(() => runner.reset());

const download = { resource: 'call', operation: 'downloadRecording' };

async function bytesOf(file: IBinaryData | undefined) {
	const binary = di.Container.get(core.BinaryDataService);
	return await binary.getAsBuffer(file as IBinaryData);
}

async function original() {
	const headers = { authorization: `Bearer ${runner.sandbox.tokens.north}` };
	const answer = await fetch(call.recordingUrl, { headers });
	return Buffer.from(await answer.arrayBuffer());
}

const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

it.each([
	['by call ID', () => ({ callId: call.id })],
	['by URL', () => ({ recordingSource: 'url', recordingUrl: call.recordingUrl })],
])('%s, puts the file in the field, with name and MIME type', async (_name, source) => {
	const { output, error } = await runner.run({
		...download,
		...source(),
		binaryPropertyName: 'recording',
	});
	expect(error).toBeUndefined();
	const [item] = output();
	const file = item?.binary?.recording;
	expect(Object.keys(item?.binary ?? {})).toEqual(['recording']);
	expect(item?.pairedItem).toEqual({ item: 0 });
	const bytes = await bytesOf(file);
	expect(hash(bytes)).toBe(hash(await original()));
	expect(file?.mimeType).toMatch(/^audio\//);
	expect(item?.json).toMatchObject({
		fileName: file?.fileName,
		mimeType: file?.mimeType,
		fileSizeBytes: bytes.length,
	});
});

it('by call ID, says which call it was', async () => {
	const { items } = await runner.run({ ...download, callId: call.id });
	const { id, createdAt, loadIds } = call;
	expect(items).toEqual([
		expect.objectContaining({ callId: id, createdAt, loadNumber: loadIds.join(', ') }),
	]);
});

it('reads the list once for all items, even for repeated calls', async () => {
	const { items: calls } = await runner.run({
		...{ resource: 'call', operation: 'getAll', timeRange: 'last24Hours', output: 'all' },
		returnAll: true,
	});
	const ids = calls.filter(({ recordingUrl }) => recordingUrl).map(({ id }) => Number(id));
	const [first = 0, second = 0, last = 0] = [ids[0], ids[1], ids.at(-1)];
	const wanted = [last, first, second, last, first];
	runner.reset();
	const { items, error } = await runner.run(
		{ ...download, callId: '={{ $json.id }}' },
		{ items: wanted.map((id) => ({ id })) },
	);
	expect(error).toBeUndefined();
	expect(items.map(({ callId }) => callId)).toEqual(wanted);
	expect(runner.queries('listCalls')).toHaveLength(1);
});

it('uses the file name that the user sets, and puts the file in "data" by default', async () => {
	const { output } = await runner.run({
		...download,
		callId: call.id,
		options: { fileName: '=load-{{ 48213 }}.wav' },
	});
	expect(output()[0]?.binary?.data?.fileName).toBe('load-48213.wav');
});

it('accepts a recording URL that is only a path', async () => {
	const recordingUrl = new URL(call.recordingUrl).pathname;
	const { error } = await runner.run({ ...download, recordingSource: 'url', recordingUrl });
	expect(error).toBeUndefined();
});

it('rejects a recording above the size limit', async () => {
	const megabytes = createServer((_request, response) => {
		response.writeHead(200, { 'content-type': 'audio/mpeg' });
		response.end(Buffer.alloc(3 * 1024 * 1024));
	});
	await new Promise<void>((resolve) => megabytes.listen(0, '127.0.0.1', resolve));
	const { port } = megabytes.address() as AddressInfo;
	const source = { recordingSource: 'url', recordingUrl: `http://127.0.0.1:${port}/tape.mp3` };
	const refused = await runner.run({ ...download, ...source, options: { maxSize: 2 } });
	const taken = await runner.run({ ...download, ...source, options: { maxSize: 3 } });
	megabytes.close();
	expect(refused.error?.message).toContain('larger than 2 MB');
	expect(refused.items).toEqual([]);
	expect(taken.items).toEqual([expect.objectContaining({ fileSizeBytes: 3 * 1024 * 1024 })]);
});

it('says when the call has no recording yet', async () => {
	runner.sandbox.faults.add({
		endpoint: 'listCalls',
		fault: {
			kind: 'body',
			body: { calls: [{ id: 5, recordingUrl: null }], pagination: { total: 1 } },
		},
	});
	const { error } = await runner.run({ ...download, callId: 5 });
	expect(error?.message).toContain('Call 5 has no recording');
	expect(runner.sandbox.ledger.requests('recording')).toEqual([]);
});

it('continues with the other items when one cannot be downloaded', async () => {
	const { output } = await runner.run(
		{ ...download, callId: '={{ $json.id }}' },
		{ items: [{ id: 987654321 }, { id: call.id }], node: { onError: 'continueErrorOutput' } },
	);
	expect(output(0)).toEqual([
		expect.objectContaining({ pairedItem: { item: 1 }, binary: { data: expect.anything() } }),
	]);
	expect(output(1)[0]?.json).toMatchObject(failure(/was not found/));
});

it.each([
	[{ binaryPropertyName: '__proto__' }, 'Put Output File in Field must consist of letters'],
	[{ binaryPropertyName: 'a.b' }, 'Put Output File in Field must consist of letters'],
	[{ binaryPropertyName: "={{ '' }}" }, 'Put Output File in Field is required'],
	[{ options: { fileName: '../../secret.wav' } }, 'File Name must be a name without folders'],
	[{ options: { fileName: 'C:\\tape.wav' } }, 'File Name must be a name without folders'],
	[{ options: { maxSize: 0 } }, 'Max Size (MB) must be 1 or more'],
	[{ options: { maxSize: 1e9 } }, 'Max Size (MB) must be 1000 or less'],
	[{ recordingSource: 'url', recordingUrl: "={{ '' }}" }, 'Recording URL is required'],
	[{ recordingSource: 'url', recordingUrl: 'tape.wav' }, 'Recording URL must be a URL'],
	[{ recordingSource: 'url', recordingUrl: 'file:///etc/passwd' }, 'Recording URL must be a URL'],
	[{ recordingSource: 'elsewhere' }, 'Find Recording By must be one of callId, url'],
])('rejects %p before anything is sent', async (parameters, message) => {
	const { error } = await runner.run({ ...download, callId: call.id, ...parameters });
	expect(error?.message).toContain(message);
	expect(runner.sandbox.ledger.requests()).toEqual([]);
});
