import { testGoogleSheetRoundTrip } from './topics/google-sheet-round-trip.mts';

describe('check calls from a Google Sheet', () => testGoogleSheetRoundTrip());
