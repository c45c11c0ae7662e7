/**
 * A poll every 20 seconds. n8n 2.41 takes no shorter time than a minute, but several of them
 * (n8n-workflow: isSubMinuteCron).
 */
export const EVERY_20_SECONDS = {
	item: ['0', '20', '40'].map((second) => ({
		mode: 'custom',
		cronExpression: `${second} * * * * *`,
	})),
};
