import { isInstalled } from '../../playground/setup/install/install.mts';
import { n8nFolder } from '../../playground/setup/paths.mts';
import { preparedFolder } from '../support/prepared-n8n.mts';

/** Once for all files, before the first one: three of them begin at the same time. */
export default async function prepare(): Promise<void> {
	// Some files need no n8n. The others say that it is missing.
	if (isInstalled(n8nFolder())) await preparedFolder();
}
