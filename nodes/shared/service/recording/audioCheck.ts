import { ServiceFailure } from '../http/failure';

/** How error pages of file stores start: HTML, XML (S3, Azure) or JSON. */
const MESSAGE_START = /^\uFEFF?\s*(<[!?a-z]|[{[]\s*["{\]}])/i;

const START_LENGTH = 100;

/** No audio format starts with so many characters of text. */
const TEXT = /^[\s -~\u00a0-\ufffc]*$/;

const MESSAGE_TYPE = /^text\/|[/+](json|xml)$/;

/** Certainly no sound; a recording may have any other type. */
const OTHER_TYPE = /^(image|font)\/[\w.+-]{1,40}$|^application\/(pdf|zip|gzip)$/;

/** Checks a recording while it downloads: it must be audio and not too large. */
export class AudioCheck {
	private size = 0;
	/** The first bytes, which may come in several chunks. */
	private start = '';

	/** @throws ServiceFailure for a media type that isn't audio */
	constructor(
		contentType: string,
		private readonly maxBytes: number,
	) {
		if (contentType === 'text/html') throw unreadable('a web page');
		if (MESSAGE_TYPE.test(contentType)) throw unreadable('a message');
		if (OTHER_TYPE.test(contentType)) throw unreadable(`a file of the type ${contentType}`);
	}

	/** @throws ServiceFailure if it is too large */
	announced(bytes: number): void {
		if (bytes > this.maxBytes) throw this.tooLarge();
	}

	/**
	 * Returns the chunk if it is acceptable.
	 *
	 * @throws ServiceFailure
	 */
	passed(chunk: unknown): Uint8Array {
		const bytes = chunk instanceof Uint8Array ? chunk : Buffer.from(String(chunk));
		if (this.start.length < START_LENGTH) {
			this.start += Buffer.from(bytes.subarray(0, START_LENGTH)).toString();
			if (MESSAGE_START.test(this.start)) throw unreadable('a message');
		}
		this.size += bytes.length;
		if (this.size > this.maxBytes) throw this.tooLarge();
		return bytes;
	}

	/** @throws ServiceFailure if it is empty, or text: "Link expired" */
	ended(): void {
		if (this.size === 0) throw unreadable('nothing');
		if (TEXT.test(this.start)) throw unreadable('a message');
	}

	private tooLarge(): ServiceFailure {
		return new ServiceFailure({
			kind: 'unreadable',
			what: `The recording is larger than ${Math.floor(this.maxBytes / 1024 / 1024)} MB`,
			advice: 'Raise Max Size (MB) under Options',
		});
	}
}

function unreadable(instead: string): ServiceFailure {
	return new ServiceFailure({
		kind: 'unreadable',
		what: `The recording's link returned ${instead} instead of a recording`,
		advice: 'The recording may have expired. Ask the service operator about it',
	});
}
