import type { OrganizationName } from '../types.mts';

/** The two organizations' bearer tokens. They are valid only in the sandbox. */
export const tokens: Readonly<Record<OrganizationName, string>> = {
	north: 'sandbox-north-token',
	south: 'sandbox-south-token',
};

/** Contract 5: `Authorization: Bearer <token>`; the token identifies the organization. */
export function organizationForToken(authorization: string | undefined): OrganizationName | null {
	const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];
	if (token === tokens.north) return 'north';
	return token === tokens.south ? 'south' : null;
}
