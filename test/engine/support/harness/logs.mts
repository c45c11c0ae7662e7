import { format } from 'node:util';
import { common, di, workflow } from './n8n.mts';

/** One line that n8n or a node logged. */
export interface LogLine {
	level: 'error' | 'warn' | 'info' | 'debug';
	text: string;
}

const lines: LogLine[] = [];

function keep(level: LogLine['level']) {
	return (message: string, metadata?: object) => {
		lines.push({ level, text: metadata === undefined ? message : format(message, metadata) });
	};
}

/**
 * n8n's log goes to the console; here it is kept, so that a test can prove that no token and no
 * transcript is in it, and the tests' own output stays readable.
 */
export function keepLogs(): void {
	const logger = di.Container.get(common.Logger);
	for (const level of ['error', 'warn', 'info', 'debug'] as const) {
		logger[level] = keep(level);
	}
	logger.scoped = () => logger;
	workflow.LoggerProxy.init(logger);
}

/** Marks where the log is now; the result returns the lines since then. */
export function followLogs(): () => LogLine[] {
	const from = lines.length;
	return () => lines.slice(from);
}
