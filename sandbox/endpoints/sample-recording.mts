const SAMPLE_RATE = 8000;
const SECONDS = 1;
const HEADER_BYTES = 44;

/** One second of dial tone as an 8-bit mono WAV file. Its pitch differs between calls. */
export function sampleRecording(callId: number): Buffer {
	const samples = SAMPLE_RATE * SECONDS;
	const file = Buffer.alloc(HEADER_BYTES + samples);
	file.write('RIFF', 0, 'latin1');
	file.writeUInt32LE(file.length - 8, 4);
	file.write('WAVEfmt ', 8, 'latin1');
	file.writeUInt32LE(16, 16); // size of the format part
	file.writeUInt16LE(1, 20); // PCM
	file.writeUInt16LE(1, 22); // one channel
	file.writeUInt32LE(SAMPLE_RATE, 24);
	file.writeUInt32LE(SAMPLE_RATE, 28); // bytes a second
	file.writeUInt16LE(1, 32); // bytes a sample
	file.writeUInt16LE(8, 34); // bits a sample
	file.write('data', 36, 'latin1');
	file.writeUInt32LE(samples, 40);
	const pitch = 350 + (callId % 90);
	for (let sample = 0; sample < samples; sample++) {
		const wave = Math.sin((2 * Math.PI * pitch * sample) / SAMPLE_RATE);
		file[HEADER_BYTES + sample] = 128 + Math.round(40 * wave);
	}
	return file;
}
