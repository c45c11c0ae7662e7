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
 * Captures n8n's log instead of printing it, so that a test can prove that it contains no token and
 * no transcript, and the tests' own output stays readable.
 */
export function keepLogs(): void {
	const logger = di.Container.get(common.Logger);
	for (const level of ['error', 'warn', 'info', 'debug'] as const) {
		logger[level] = keep(level);
	}
	logger.scoped = () => logger;
	workflow.LoggerProxy.init(logger);
}

/** Marks the current end of the log. The returned function returns the lines since then. */
export function followLogs(): () => LogLine[] {
	const from = lines.length;
	return () => lines.slice(from);
}
