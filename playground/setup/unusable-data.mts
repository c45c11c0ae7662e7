import { N8nRefusal } from '../n8n/rest.mts';
import { Problem, textOf } from '../process/problem.mts';

/** What a start of n8n failed with, or, if its data is to blame, that and the way out. */
export function dataProblem(error: unknown, data: string): unknown {
	const damage = /SQLITE_\w+[^")]*|[^("]*encryption key[^")]*/.exec(textOf(error))?.[0];
	if (damage === undefined) return error;
	return new Problem(
		`n8n cannot use its data in ${data} (${damage}): put a copy back, or start with "npm start -- --reset", which deletes it`,
	);
}

/** What a log-in failed with, or, if the kept login is to blame, that and the way out. */
export function loginProblem(error: unknown, file: string): unknown {
	if (!(error instanceof N8nRefusal) || error.status !== 401) return error;
	return new Problem(
		`n8n does not accept the login in ${file}: write the password you chose in n8n into that file, or start with "npm start -- --reset"`,
	);
}
