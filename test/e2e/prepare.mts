import { chooseN8n, N8N_VARIABLE } from '../../playground/n8n/choice.mts';
import { assertFitForTests } from '../../playground/n8n/given.mts';
import { isInstalled } from '../../playground/setup/install/install.mts';
import { n8nFolder } from '../../playground/setup/paths.mts';
import { preparedFolder } from '../support/prepared-n8n.mts';

/** Once for all files, before the first one: three of them begin at the same time. */
export default async function prepare(): Promise<void> {
	const choice = chooseN8n({ docker: false });
	if (choice.kind === 'given') {
		await assertFitForTests(choice.url, choice.apiKey);
		console.log(
			`On the n8n at ${choice.url} runs what webhooks start. The other tests stop n8n, run workflows by hand or look into its files: unset ${N8N_VARIABLE} to run them.`,
		);
		return;
	}
	// Some files need no n8n. The others say that it is missing.
	if (isInstalled(n8nFolder())) await preparedFolder();
}
