// The sandbox's page, in the browser. Everything shown is set as text, never as HTML.
const REFRESH_MS = 1000;

const CALL_TYPES = {
	checkCall: 'Check call to',
	carrierSalesCall: 'Carrier sales call to',
	agentCall: 'Agent call to',
	bid: 'Carrier called in from',
};

/**
 * @param {string} path
 * @param {object} body
 */
async function post(path, body) {
	const response = await fetch(path, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	const answer = await response.json();
	if (!response.ok) throw new Error(answer.message);
	return answer;
}

/**
 * @param {string} id
 * @param {(fields: Record<string, string>) => Promise<string>} submit returns the message to show
 */
function onSubmit(id, submit) {
	const form = document.querySelector(`form#${id}`);
	const output = form?.querySelector('output');
	if (!(form instanceof HTMLFormElement) || !output) return;
	form.addEventListener('submit', async (event) => {
		event.preventDefault();
		output.textContent = '…';
		const fields = new FormData(form);
		const texts = [...fields].map(([name, value]) => [name, String(value).trim()]);
		try {
			output.textContent = await submit(Object.fromEntries(texts.filter(([, text]) => text)));
		} catch (error) {
			output.textContent = error instanceof Error ? error.message : String(error);
		}
		output.scrollIntoView({ block: 'nearest' });
	});
}

/** @param {{ status: number | null, error?: string }} delivery */
function describeDelivery({ status, error }) {
	if (status === null) return `No answer (${error}). Check the URL, and that n8n is running.`;
	if (status < 300) return `Delivered (status ${status}).`;
	if (status === 404) {
		return 'n8n does not know this URL (status 404). A production URL needs a published workflow; for a test URL, click "Execute workflow" from that trigger first.';
	}
	if (status === 403)
		return 'n8n expects a different header (status 403). Check the credential of its Webhook node.';
	return `Rejected with status ${status}.`;
}

/** Another load for the next event: a driver is not called again about the same one so soon. */
function nextLoad() {
	const input = document.querySelector('#tms-event [name=loadNumber]');
	if (!(input instanceof HTMLInputElement)) return;
	if (input.value === '') input.value = String(10_000 + (Math.floor(Date.now() / 1000) % 86_400));
	else if (/^\d{1,9}$/.test(input.value)) input.value = String(Number(input.value) + 1);
}

nextLoad();

const LATE = 'The next check call will report a delay.';

/** Where calls are allowed now; the sandbox says so with each refresh. */
let timeZone = '';

onSubmit('tms-event', async (fields) => {
	const { url, event, loadNumber, location, nextStopIndex, driverName, driverPhone } = fields;
	const driver = { name: driverName, phone: driverPhone };
	const about = { event, loadNumber, location, nextStopIndex: Number(nextStopIndex), driver };
	const eventId = `sandbox-${crypto.randomUUID()}`;
	const tmsEvent = { eventId, ...about, timeZone };
	const delivery = await post('/sandbox/page/tms-event', { url, event: tmsEvent });
	nextLoad();
	return [describeDelivery(delivery), delivery.whatFollows].filter(Boolean).join(' ');
});
onSubmit('late-driver', async () => {
	await post('/sandbox/page/late-driver', {});
	return LATE;
});
onSubmit('bid', async (fields) => {
	const { callIds } = await post('/sandbox/records', fields);
	return `The carrier has bid: call ${callIds[0]}. The bid is in the list of bids now.`;
});
onSubmit('sample-event', async ({ url }) => {
	const delivery = await post('/sandbox/page/sample-event', { url });
	const isDelivered = delivery.status !== null && delivery.status < 300;
	const about = isDelivered ? ' It is about load 48213; its call ID begins with 9000.' : '';
	return describeDelivery(delivery) + about;
});

/**
 * @param {string} tag
 * @param {string} text
 */
function element(tag, text) {
	const created = document.createElement(tag);
	created.textContent = text;
	return created;
}

/** @param {Record<string, string | undefined>} call */
function callItem(call) {
	const item = document.createElement('li');
	const type = CALL_TYPES[call.kind ?? ''] ?? 'Call to';
	const about = call.load ? ` · load ${call.load}` : '';
	const time = new Date(call.at ?? '').toLocaleTimeString(undefined, { timeZoneName: 'short' });
	item.append(element('h3', `${type} ${call.phone}${about}`));
	if (!call.summary) {
		item.append(element('p', `In progress since ${time}`));
		return item;
	}
	item.append(
		element(
			'p',
			`${call.kind === 'bid' ? 'Received' : 'Placed'} ${time} · call ${call.callId} · completed`,
		),
	);
	item.append(element('div', call.summary));
	const details = document.createElement('details');
	details.append(element('summary', 'Transcript'), element('pre', call.transcript ?? ''));
	const audio = document.createElement('audio');
	audio.controls = true;
	audio.preload = 'none';
	audio.src = `/sandbox/page/recordings/${call.callId}.wav`;
	item.append(details, audio);
	return item;
}

/** Elements by their call's JSON: an unchanged call keeps its open transcript. */
let items = new Map();
let shown = '';

const filterForm = document.querySelector('form#filter');

/** What the filter asks for, without its empty fields. */
function filter() {
	const fields = filterForm instanceof HTMLFormElement ? [...new FormData(filterForm)] : [];
	return new URLSearchParams(
		fields.flatMap(([name, value]) => (value === '' ? [] : [[name, String(value)]])),
	).toString();
}

async function refresh() {
	const asked = filter();
	const response = await fetch(`/sandbox/page/state?${asked}`);
	const text = await response.text();
	// The filter may have changed meanwhile, and an answer to the new one is on its way.
	if (text === shown || asked !== filter()) return;
	shown = text;
	const { calls, tmsUrl, testUrl, nextDriverIsLate, ...state } = JSON.parse(text);
	timeZone = state.timeZone;
	const late = document.querySelector('#late-driver output');
	if (late) late.textContent = nextDriverIsLate ? LATE : '';
	const entries = calls.map((/** @type {Record<string, string | undefined>} */ call) => {
		const key = JSON.stringify(call);
		return [key, items.get(key) ?? callItem(call)];
	});
	items = new Map(entries);
	document.querySelector('#calls')?.replaceChildren(...items.values());
	document.querySelector('#no-calls')?.toggleAttribute('hidden', calls.length > 0 || asked !== '');
	document.querySelector('#no-match')?.toggleAttribute('hidden', calls.length > 0 || asked === '');
	prefill('#tms-event [name=url]', tmsUrl);
	prefill('#sample-event [name=url]', testUrl);
}

/**
 * @param {string} selector
 * @param {string | null} url
 */
function prefill(selector, url) {
	const input = document.querySelector(selector);
	if (input instanceof HTMLInputElement && input.value === '' && url) input.value = url;
}

/** The sandbox may restart while the page is open: keep trying. */
const tryRefresh = () => refresh().catch(() => undefined);

filterForm?.addEventListener('input', tryRefresh);
filterForm?.addEventListener('submit', (event) => event.preventDefault());
document.querySelector('#clear')?.addEventListener('click', async () => {
	await post('/sandbox/page/clear', {});
	await tryRefresh();
});
setInterval(tryRefresh, REFRESH_MS);
await tryRefresh();
