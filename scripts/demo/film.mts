import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const WIDTH = 1280;
const HEIGHT = 720;
const CAPTION_HEIGHT = 80;
const FPS = 12;

interface Shown {
	file: string;
	/** Milliseconds since the epoch. */
	at: number;
}

/** Throws if ffmpeg is missing: before the take, not after it. */
export function assertFfmpeg(): void {
	if (spawnSync('ffmpeg', ['-version']).status === 0) return;
	throw new Error('ffmpeg makes the video. Install it (Debian: apt-get install ffmpeg)');
}

export type Film = Awaited<ReturnType<typeof startFilm>>;

/**
 * Records what a page shows. Chromium sends a picture whenever something changes; ffmpeg makes a video
 * of them at the end, with the captions below.
 */
export async function startFilm(page: Page) {
	const folder = mkdtempSync(join(tmpdir(), 'carrier-demo-'));
	const frames: Shown[] = [];
	const captions: { text: string; at: number }[] = [];
	let held = false;
	const add = (picture: Buffer) => {
		const file = join(folder, `frame-${frames.length}.jpg`);
		writeFileSync(file, picture);
		frames.push({ file, at: Date.now() });
	};
	const chromium = await page.context().newCDPSession(page);
	chromium.on('Page.screencastFrame', ({ data, sessionId }) => {
		if (!held) add(Buffer.from(data, 'base64'));
		void chromium.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
	});
	await chromium.send('Page.startScreencast', {
		...{ format: 'jpeg', quality: 85, maxWidth: WIDTH, maxHeight: HEIGHT },
	});

	return {
		/** Leaves out what the page shows until `resume`: the previous picture stays. */
		hold: () => void (held = true),
		/** Starts again with what the page shows now, which may not change for a while. */
		async resume(): Promise<void> {
			add(await page.screenshot({ type: 'jpeg', quality: 85 }));
			held = false;
		},
		caption: (text: string) => void captions.push({ text, at: Date.now() }),
		async save(file: string) {
			const end = Date.now();
			await chromium.send('Page.stopScreencast');
			const start = captions[0]?.at ?? end;
			const pictures = await captionPictures(page, folder, captions);
			encode(
				file,
				listFile(folder, 'frames', frames, start, end),
				listFile(folder, 'captions', pictures, start, end),
			);
			rmSync(folder, { recursive: true, force: true });
			return { seconds: (end - start) / 1000, megabytes: statSync(file).size / 1e6 };
		},
	};
}

/** Each caption as a picture: Chromium has fonts wherever it runs. */
async function captionPictures(
	page: Page,
	folder: string,
	captions: { text: string; at: number }[],
) {
	const paper = await page.context().newPage();
	await paper.setViewportSize({ width: WIDTH, height: CAPTION_HEIGHT });
	await paper.setContent(
		'<body style="margin:0;height:100vh;display:grid;place-items:center;background:#1c2530;color:#fff;font:24px/1.25 system-ui,sans-serif;text-align:center"><div></div></body>',
	);
	const pictures: Shown[] = [];
	for (const [index, { text, at }] of captions.entries()) {
		await paper
			.locator('div')
			.evaluate((element, content) => (element.textContent = content), text);
		const file = join(folder, `caption-${index}.jpg`);
		await paper.screenshot({ path: file, type: 'jpeg', quality: 95 });
		pictures.push({ file, at });
	}
	return pictures;
}

/** A list for ffmpeg: each picture until the next one, from `start` to `end`. */
function listFile(
	folder: string,
	name: string,
	shown: Shown[],
	start: number,
	end: number,
): string {
	const first = Math.max(
		0,
		shown.findLastIndex(({ at }) => at <= start),
	);
	const lines = shown.slice(first).map(({ file, at }, index, all) => {
		const seconds = ((all[index + 1]?.at ?? end) - Math.max(at, start)) / 1000;
		return `file '${file}'\nduration ${Math.max(0.001, seconds).toFixed(3)}`;
	});
	// ffmpeg's concat ignores the last duration unless the picture is named again.
	lines.push(`file '${shown.at(-1)?.file}'`);
	const path = join(folder, `${name}.txt`);
	writeFileSync(path, lines.join('\n'));
	return path;
}

function encode(file: string, frames: string, captions: string): void {
	const input = (list: string) => ['-f', 'concat', '-safe', '0', '-i', list];
	const filter = [
		`[0:v]fps=${FPS},scale=${WIDTH}:${HEIGHT},setsar=1[page]`,
		`[1:v]fps=${FPS},scale=${WIDTH}:${CAPTION_HEIGHT},setsar=1[text]`,
		'[page][text]vstack,format=yuv420p[video]',
	].join(';');
	const { status, stderr } = spawnSync('ffmpeg', [
		...['-y', '-loglevel', 'error', ...input(frames), ...input(captions)],
		...['-filter_complex', filter, '-map', '[video]', '-c:v', 'libx264', '-crf', '26'],
		...['-preset', 'veryfast', '-movflags', '+faststart', file],
	]);
	if (status !== 0) throw new Error(`ffmpeg could not make the video: ${stderr}`);
}
