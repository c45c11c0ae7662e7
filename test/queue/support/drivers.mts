export interface Driver {
	phone: string;
	load: string;
}

let known = 0;

/** A driver about whose load no one in this test file has called. */
export function newDriver(): Driver {
	const line = String(known++).padStart(3, '0');
	return { phone: `+13125550${line}`, load: `Q${line}` };
}

export const newDrivers = (count: number): Driver[] => Array.from({ length: count }, newDriver);
