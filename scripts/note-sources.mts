// Runs before "npm run build", so that its last step knows what was built (gulpfile.js).
import { noteSources } from '../playground/setup/build.mts';

noteSources();
