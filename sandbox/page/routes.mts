import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import axios, { isAxiosError } from 'axios';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { sampleRecording } from '../endpoints.mts';
import { assertAllowedTarget, type ControlActions } from '../service/control-api.mts';
import { validate } from '../service/server.mts';
import type { Service } from '../service/service.mts';

const FILES = {
	'/': { file: 'index.html', type: 'text/html; charset=utf-8' },
	'/sandbox/page/style.css': { file: 'style.css', type: 'text/css; charset=utf-8' },
	'/sandbox/page/script.mjs': { file: 'script.mjs', type: 'text/javascript; charset=utf-8' },
};

const SHOWN_CALLS = 20;
const TIMEOUT_MS = 10_000;

const filterSchema = z.strictObject({
	load: z.string().default(''),
	phone: z.string().default(''),
	status: z.enum(['', 'inProgress', 'completed']).default(''),
});
type Filter = z.infer<typeof filterSchema>;

const urlSchema = z.url({ protocol: /^https?$/ });
const sampleEventSchema = z.strictObject({ url: urlSchema });
const tmsEventSchema = z.strictObject({
	url: urlSchema,
	event: z.looseObject({ event: z.string().optional(), loadNumber: z.string().optional() }),
});
type TmsEvent = z.infer<typeof tmsEventSchema>['event'];
const recordingSchema = z.strictObject({
	file: z.string().regex(/^\d{1,15}\.wav$/, 'must be <call id>.wav'),
});

/** Serves the sandbox's page: a live view, and buttons that make things happen. */
export function servePage(app: FastifyInstance, service: Service, actions: ControlActions): void {
	for (const [url, { file, type }] of Object.entries(FILES)) {
		const content = readFileSync(join(import.meta.dirname, file));
		app.get(url, (_request, reply) =>
			reply
				.header(
					'Content-Security-Policy',
					"default-src 'self'; img-src data:; frame-ancestors 'none'",
				)
				.type(type)
				.send(content),
		);
	}
	/** IDs of the calls that someone cleared from the page. The service still has them. */
	const cleared = new Set<number>();
	app.get('/sandbox/page/state', (request) => ({
		calls: pageCalls(service)
			.filter(({ callId }) => !cleared.has(callId))
			.filter(matches(validate(filterSchema, request.query, 'query')))
			.slice(0, SHOWN_CALLS),
		...{ tmsUrl: service.tmsUrl, testUrl: service.testUrl },
		nextDriverIsLate: service.nextDriverIsLate,
		timeZone: daytimeZone(service.now()),
	}));
	app.get('/sandbox/page/recordings/:file', (request, reply) => {
		const { file } = validate(recordingSchema, request.params, 'path');
		return reply.type('audio/wav').send(sampleRecording(Number.parseInt(file)));
	});
	app.post('/sandbox/page/clear', () => {
		for (const { callId } of pageCalls(service)) cleared.add(callId);
		return {};
	});
	app.post('/sandbox/page/late-driver', () => {
		service.nextDriverIsLate = true;
		return {};
	});
	app.post('/sandbox/page/sample-event', (request) => {
		const { url } = validate(sampleEventSchema, request.body, 'body');
		assertAllowedTarget(url, service);
		return actions.deliver({}, { url });
	});
	app.post('/sandbox/page/tms-event', (request) => {
		const { url, event } = validate(tmsEventSchema, request.body, 'body');
		assertAllowedTarget(url, service);
		return postEvent(url, event, service);
	});
}

/** The calls, newest first, with their outcomes: those placed, and carriers calling in. */
function pageCalls({ ledger, callRecords, insertedCalls }: Service) {
	const placed = ledger.dialed().map((call) => {
		const { callId, kind, toPhone: phone, at, loadNumber, loadId } = call;
		const { summary, transcript } = callRecords.get(call) ?? {};
		return { callId, kind, phone, at, load: loadNumber ?? loadId, summary, transcript };
	});
	const received = insertedCalls.map((call) => ({ ...call, kind: 'bid' }));
	return [...placed, ...received].sort(
		(one, other) => Date.parse(other.at) - Date.parse(one.at) || other.callId - one.callId,
	);
}

/** Phone numbers match in any format, and all texts by a part of them. */
function matches({ load, phone, status }: Filter) {
	const digits = phone.replace(/\D/g, '');
	return (call: ReturnType<typeof pageCalls>[number]) => {
		const isAsked = status === '' || (status === 'completed') === Boolean(call.summary);
		const isAbout = (call.load ?? '').toLowerCase().includes(load.trim().toLowerCase());
		return isAsked && isAbout && call.phone.replace(/\D/g, '').includes(digits);
	};
}

/** What the example "TMS event → check call" does with an event. */
function whatFollows({ event, loadNumber }: TmsEvent): string {
	if (event !== 'load.departed') {
		return 'The example "TMS event → check call" calls only about departures, unless you add the event to the data table event_types.';
	}
	return `The call about load ${loadNumber} follows within about a minute. If the driver can't be called, the reason is under "Manual calls" on the call board, and in the data table calls_to_make_by_hand.`;
}

async function postEvent(
	url: string,
	event: TmsEvent,
	{ tmsUrl, tmsHeaders, closing: signal }: Service,
): Promise<{ status: number | null; error?: string; whatFollows?: string }> {
	try {
		const { status } = await axios.post(url, event, {
			...{ timeout: TIMEOUT_MS, maxRedirects: 0, proxy: false, signal },
			headers: url === tmsUrl ? tmsHeaders : {},
			validateStatus: () => true,
		});
		return { status, ...(status < 300 && { whatFollows: whatFollows(event) }) };
	} catch (error) {
		const reason = isAxiosError(error) ? error.code : undefined;
		return { status: null, error: reason ?? String(error) };
	}
}

/**
 * A time zone in which it is between 8 AM and 7 PM. A sample event about a stop there places a call at
 * any hour; the sandbox wakes no one.
 */
export function daytimeZone(now: Date): string {
	const hour = now.getUTCHours();
	if (hour < 2 || hour >= 15) return 'America/Phoenix';
	return hour < 10 ? 'Asia/Tokyo' : 'Asia/Dubai';
}
