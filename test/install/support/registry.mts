import { type JsonObject, textIn } from '../../../playground/n8n/rest.mts';
import { PACKAGE_NAME } from '../../../playground/setup/paths.mts';
import type { ServiceAnswer, StandIn } from '../../e2e/examples/support/destinations/proxy.mts';
import type { Release } from './tarballs.mts';

/** The only registry that n8n without a license installs from. */
const HOST = 'registry.npmjs.org';

/** Plays npm's registry with nothing but this package's releases, the newest last. */
export class Registry implements StandIn {
	readonly host = HOST;
	/** Paths that were asked for and don't exist. */
	readonly missing: string[] = [];
	/** The releases that were downloaded. */
	readonly downloaded: string[] = [];
	private readonly releases: Release[];

	constructor(releases: Release[]) {
		this.releases = releases;
	}

	answer({ method, path }: { method: string; path: string }): ServiceAnswer {
		const found = method === 'GET' ? this.find(path) : undefined;
		if (found !== undefined) return { status: 200, body: found };
		this.missing.push(`${method} ${path}`);
		return { status: 404, body: { error: 'not_found' } };
	}

	private find(path: string): JsonObject | Buffer | undefined {
		const newest = this.releases.at(-1);
		const [, name, asked, file] = path.split('/');
		if (name !== PACKAGE_NAME || newest === undefined) return undefined;
		if (asked === undefined) return this.document(newest);
		const release = this.releases.find(({ version }) =>
			asked === '-' ? file === fileOf(version) : version === asked,
		);
		if (asked === 'latest') return described(newest);
		if (asked !== '-' || release === undefined) return release && described(release);
		this.downloaded.push(release.version);
		return release.file;
	}

	private document({ version }: Release): JsonObject {
		const versions = this.releases.map((release) => [release.version, described(release)]);
		return {
			name: PACKAGE_NAME,
			'dist-tags': { latest: version },
			versions: Object.fromEntries(versions),
		};
	}
}

const fileOf = (version: string) => `${PACKAGE_NAME}-${version}.tgz`;

function described({ manifest, version, integrity }: Release): JsonObject {
	const tarball = `https://${HOST}/${PACKAGE_NAME}/-/${fileOf(version)}`;
	return {
		...manifest,
		_id: `${textIn(manifest, 'name')}@${version}`,
		dist: { tarball, integrity },
	};
}
