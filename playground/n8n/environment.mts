import { LOOPBACK } from '../process/ports.mts';

export interface N8nAddresses {
	/** Where n8n keeps everything, in a .n8n folder. */
	userFolder: string;
	port: number;
	/** The port for n8n's task runners. */
	brokerPort: number;
}

/** What n8n inherits from this process's environment: nothing that could point it at another database or host. */
const INHERITED = [
	...['PATH', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'TEMP', 'TMP', 'SYSTEMROOT'],
	// A folder for compiled code, which saves a fifth of n8n's start where it starts often (.ci/run).
	'NODE_COMPILE_CACHE',
];

/**
 * The environment of an n8n that is private to this machine: it listens on the loopback interface only,
 * keeps all files in its user folder, and does not try to reach the internet.
 * @param extra variables that override all others
 */
export function n8nEnvironment(
	addresses: N8nAddresses,
	extra: Record<string, string> = {},
): NodeJS.ProcessEnv {
	const inherited = Object.fromEntries(INHERITED.map((name) => [name, process.env[name]]));
	const origin = `http://${LOOPBACK}:${addresses.port}`;
	return {
		...inherited,
		HOME: addresses.userFolder,
		N8N_USER_FOLDER: addresses.userFolder,
		N8N_LISTEN_ADDRESS: LOOPBACK,
		N8N_HOST: LOOPBACK,
		N8N_PORT: String(addresses.port),
		N8N_EDITOR_BASE_URL: origin,
		N8N_WEBHOOK_URL: `${origin}/`,
		N8N_RUNNERS_BROKER_PORT: String(addresses.brokerPort),
		N8N_SECURE_COOKIE: 'false',
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
		...OFFLINE,
		...DEFAULTS,
		...extra,
	};
}

/** Each of these would otherwise send a request to the internet, or show the result of one. */
const OFFLINE = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	// n8n 2.41: these modules fetch a catalog when n8n starts and have no setting of their own.
	N8N_DISABLED_MODULES: 'mcp-registry,instance-version-history,instance-reporting',
};

const DEFAULTS = {
	// The package was built a moment ago, so it can't be verified.
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	N8N_LOG_LEVEL: 'info',
	// n8n 2.41 registers a published workflow's webhooks the next time it checks its outbox.
	N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '1000',
	N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '8',
};
