import { N8nApiError } from '../n8n/rest.mts';
import { UserError, errorMessage } from '../process/user-error.mts';

/** The error of a failed start, or, if n8n's data caused it, one that says so and what to do. */
export function explainDataError(error: unknown, data: string): unknown {
	const damage = /SQLITE_\w+[^")]*|[^("]*encryption key[^")]*/.exec(errorMessage(error))?.[0];
	if (damage === undefined) return error;
	return new UserError(
		`n8n cannot use its data in ${data} (${damage}). Restore a copy, or run "npm start -- --reset" to delete all playground data and start fresh.`,
	);
}

/** The error of a failed login, or, if the stored login caused it, one that says so and what to do. */
export function explainLoginError(error: unknown, file: string): unknown {
	if (!(error instanceof N8nApiError) || error.status !== 401) return error;
	return new UserError(
		`n8n rejects the login in ${file}. If you changed your password in n8n, enter it in that file. Or run "npm start -- --reset" to delete all playground data and start fresh.`,
	);
}
