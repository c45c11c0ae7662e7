// Loaded into n8n's process before n8n: when the process that started it is gone (even after kill -9,
// a closed terminal or a crash), the channel between the two closes and n8n stops.
import process from 'node:process';

const FORCE_EXIT_AFTER_MS = 10_000;

process.on('disconnect', () => {
	process.kill(process.pid, 'SIGTERM');
	setTimeout(() => process.exit(1), FORCE_EXIT_AFTER_MS).unref();
});
process.channel?.unref?.();
