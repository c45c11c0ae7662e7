// Builds the package, unless dist/ already is what a build of these sources writes. With --note-sources, runs
// before "npm run build", so that its last step knows what was built (gulpfile.js).
import { build, isBuilt, noteSources } from '../playground/setup/build.mts';

if (process.argv.includes('--note-sources')) {
	noteSources();
} else if (isBuilt()) {
	console.log('The build is up to date');
} else {
	console.log('Building the package');
	await build();
}
