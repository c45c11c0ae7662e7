/** The name of n8n's credential for the service. */
export const CREDENTIAL = 'The service';
