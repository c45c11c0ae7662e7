import { createHash } from 'node:crypto';
import { type JsonObject, isRecord, textIn } from '../../../playground/n8n/rest.mts';
import { PACKAGE_NAME } from '../../../playground/setup/paths.mts';
import type {
	ServiceAnswer,
	ServiceRequest,
	StandIn,
} from '../../e2e/examples/support/destinations/proxy.mts';

/** A version of the package, as npm publishes it. */
export interface Release {
	version: string;
	manifest: JsonObject;
	file: Buffer;
}

/** npm's registry with nothing but this package, the newest version last: "npm publish" adds one. */
export class Registry implements StandIn {
	/** The only registry that n8n without a license installs from. */
	readonly host = 'registry.npmjs.org';
	readonly releases: Release[] = [];
	/** The versions that were downloaded. */
	readonly downloaded: string[] = [];

	answer({ method, path, body }: ServiceRequest): ServiceAnswer {
		if (method === 'PUT' && path === `/${PACKAGE_NAME}`) {
			this.releases.push(publishedIn(body));
			return { status: 201, body: {} };
		}
		const found = method === 'GET' ? this.find(path) : undefined;
		return found === undefined
			? { status: 404, body: { error: 'not_found' } }
			: { status: 200, body: found };
	}

	private find(path: string): JsonObject | Buffer | undefined {
		const newest = this.releases.at(-1);
		const [, name, asked, file] = path.split('/');
		if (name !== PACKAGE_NAME || newest === undefined) return undefined;
		if (asked === undefined) return this.document(newest);
		if (asked === 'latest') return this.described(newest);
		const release = this.releases.find(({ version }) =>
			asked === '-' ? file === fileOf(version) : version === asked,
		);
		if (asked !== '-' || release === undefined) return release && this.described(release);
		this.downloaded.push(release.version);
		return release.file;
	}

	private document({ version }: Release): JsonObject {
		const versions = this.releases.map((release) => [release.version, this.described(release)]);
		return {
			name: PACKAGE_NAME,
			'dist-tags': { latest: version },
			versions: Object.fromEntries(versions),
		};
	}

	private described({ manifest, version, file }: Release): JsonObject {
		const tarball = `https://${this.host}/${PACKAGE_NAME}/-/${fileOf(version)}`;
		const integrity = `sha512-${createHash('sha512').update(file).digest('base64')}`;
		return { ...manifest, _id: `${PACKAGE_NAME}@${version}`, dist: { tarball, integrity } };
	}
}

const fileOf = (version: string) => `${PACKAGE_NAME}-${version}.tgz`;

/** What "npm publish" sends. */
function publishedIn(body: JsonObject): Release {
	const [manifest] = Object.values(Object(body['versions']));
	const [attachment] = Object.values(Object(body['_attachments']));
	if (!isRecord(manifest)) throw new Error('npm published no version');
	const file = Buffer.from(textIn(attachment, 'data'), 'base64');
	return { version: textIn(manifest, 'version'), manifest, file };
}
