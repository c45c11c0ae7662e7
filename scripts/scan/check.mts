/** One thing that was looked at: no problems means that it passed. */
export interface Check {
	name: string;
	problems: string[];
}
