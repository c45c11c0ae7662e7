// The demonstration ("npm run demo"): a real browser and a real n8n go from installation to a call's
// outcome in one take, recorded as demo.mp4. Needs Chromium, n8n as "npm start" installs it, and
// ffmpeg. "npm run demo -- --check" runs the same steps without recording.
import { startChromium } from './browser/chromium.mts';
import { withPlayground } from './browser/playground.mts';
import { assertFfmpeg, startFilm } from './demo/film.mts';
import { playScenes } from './demo/scenes.mts';
import { Stage } from './demo/stage.mts';

const check = process.argv.includes('--check');
const FILE = 'demo.mp4';
/** n8n's reviewers ask for a short one. */
const MAX_SECONDS = 300;

if (!check) assertFfmpeg();

await withPlayground(async (playground) => {
	const browser = await startChromium();
	try {
		const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
		const page = await context.newPage();
		const film = check ? undefined : await startFilm(page);
		await playScenes(new Stage(page, film), playground);
		if (film === undefined) return console.log('All steps of the demonstration work.');
		const { seconds, megabytes } = await film.save(FILE);
		console.log(`${FILE}: ${seconds.toFixed(0)} s, ${megabytes.toFixed(1)} MB`);
		if (seconds > MAX_SECONDS) throw new Error(`The video is longer than ${MAX_SECONDS} s`);
	} finally {
		await browser.close();
	}
});
