/** A check that ran. It passed if there are no problems. */
export interface Check {
	name: string;
	problems: string[];
}
