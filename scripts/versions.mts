// Runs the package on several versions of n8n: npm run test:versions, or with versions of your choice,
// npm run test:versions -- 2.0.0 2.41.1. Each is installed once (2.2 GB), next to the playground's n8n.
import { build, isBuilt } from '../playground/setup/build.mts';
import { leftOut } from './versions/differences.mts';
import {
	installVersion,
	registryVersions,
	runSuite,
	SUITES,
	versionsOf,
} from './versions/suites.mts';

const asked = process.argv.slice(2);
const wanted = asked.length > 0 ? asked.map((one) => [one]) : versionsOf(registryVersions());
if (!isBuilt()) await build();
const summary: string[] = [];
const done = new Set<string>();
const say = (line: string) => {
	console.log(line);
	summary.push(line);
};
let failed = 0;
for (const candidates of wanted) {
	const installed = await installVersion(candidates, say);
	if (installed === undefined) {
		failed++;
		continue;
	}
	const { version } = installed;
	if (done.has(version)) continue;
	done.add(version);
	for (const suite of SUITES) {
		console.log(`\nn8n ${version}, ${suite.name}:`);
		const { passed, known, unexpected, minutes } = runSuite(suite, installed);
		for (const { test, why } of known) console.log(`  differs: ${test} (${why})`);
		for (const { test, message } of unexpected) console.log(`  failed: ${test}\n${message}`);
		const counts = `${passed} passed, ${known.length} differ as known, ${unexpected.length} failed`;
		say(`n8n ${version}, ${suite.name}: ${counts} (${minutes} min)`);
		failed += unexpected.length;
	}
	for (const { file, why } of leftOut(version)) say(`n8n ${version}, left out: ${file} (${why})`);
}
console.log(['', `With Node.js ${process.version}:`, ...summary].join('\n'));
process.exitCode = failed > 0 ? 1 : 0;
