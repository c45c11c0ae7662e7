// Loaded into n8n's process before n8n: when the process that started it is gone (also by kill -9,
// a closed terminal or a crash), the channel between the two closes and n8n stops itself.
import process from 'node:process';

const STOP_AT_LATEST_MS = 10_000;

process.on('disconnect', () => {
	process.kill(process.pid, 'SIGTERM');
	setTimeout(() => process.exit(1), STOP_AT_LATEST_MS).unref();
});
process.channel?.unref?.();
