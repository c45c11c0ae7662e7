// Loaded into n8n: sends its parent each time that the event loop stood still, as [from, to] in Unix
// milliseconds.
const STEP_MS = 10;
const WORTH_NOTING_MS = 30;

let last = Date.now();
setInterval(() => {
	const now = Date.now();
	if (now - last - STEP_MS > WORTH_NOTING_MS) process.send?.({ stall: [last, now] });
	last = now;
}, STEP_MS).unref();
