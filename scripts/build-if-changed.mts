// Builds the package, unless dist/ already is what a build of these sources writes.
import { build, isBuilt } from '../playground/setup/build.mts';

if (isBuilt()) {
	console.log('The build is up to date');
} else {
	console.log('Building the package');
	await build();
}
