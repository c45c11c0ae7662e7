export interface City {
	/** "Joliet, IL" */
	name: string;
	latitude: number;
	longitude: number;
	zip: string;
	areaCode: string;
}

const table = `Joliet, IL|41.53|-88.08|60431|815
Chicago, IL|41.88|-87.63|60608|312
Elk Grove Village, IL|42.00|-87.97|60007|847
Indianapolis, IN|39.77|-86.16|46241|317
Gary, IN|41.59|-87.35|46406|219
Columbus, OH|39.96|-83.00|43217|614
Toledo, OH|41.65|-83.54|43612|419
Cincinnati, OH|39.10|-84.51|45246|513
Detroit, MI|42.33|-83.05|48210|313
Grand Rapids, MI|42.96|-85.67|49512|616
Milwaukee, WI|43.04|-87.91|53221|414
Green Bay, WI|44.51|-88.01|54304|920
Minneapolis, MN|44.98|-93.27|55413|612
Des Moines, IA|41.59|-93.62|50313|515
Omaha, NE|41.26|-95.94|68138|402
Kansas City, MO|39.10|-94.58|64120|816
St. Louis, MO|38.63|-90.20|63147|314
Springfield, MO|37.21|-93.29|65803|417
Louisville, KY|38.25|-85.76|40213|502
Nashville, TN|36.16|-86.78|37211|615
Memphis, TN|35.15|-90.05|38118|901
Chattanooga, TN|35.05|-85.31|37421|423
Atlanta, GA|33.75|-84.39|30336|404
Savannah, GA|32.08|-81.09|31408|912
Birmingham, AL|33.52|-86.80|35217|205
Mobile, AL|30.69|-88.04|36619|251
Jacksonville, FL|30.33|-81.66|32219|904
Lakeland, FL|28.04|-81.95|33811|863
Miami, FL|25.76|-80.19|33178|305
Charlotte, NC|35.23|-80.84|28273|704
Greensboro, NC|36.07|-79.79|27409|336
Greenville, SC|34.85|-82.40|29607|864
Charleston, SC|32.78|-79.93|29418|843
Richmond, VA|37.54|-77.44|23231|804
Norfolk, VA|36.85|-76.29|23502|757
Baltimore, MD|39.29|-76.61|21224|410
Harrisburg, PA|40.27|-76.88|17112|717
Allentown, PA|40.60|-75.49|18106|610
Pittsburgh, PA|40.44|-79.99|15275|412
Newark, NJ|40.74|-74.17|07114|973
Buffalo, NY|42.89|-78.88|14206|716
Syracuse, NY|43.05|-76.15|13209|315
Worcester, MA|42.26|-71.80|01607|508
Dallas, TX|32.78|-96.80|75212|214
Fort Worth, TX|32.76|-97.33|76106|817
Houston, TX|29.76|-95.37|77029|713
San Antonio, TX|29.42|-98.49|78219|210
Laredo, TX|27.51|-99.51|78045|956
El Paso, TX|31.76|-106.49|79928|915
Oklahoma City, OK|35.47|-97.52|73128|405
Little Rock, AR|34.75|-92.29|72206|501
Shreveport, LA|32.53|-93.75|71109|318
New Orleans, LA|29.95|-90.07|70126|504
Jackson, MS|32.30|-90.18|39209|601
Denver, CO|39.74|-104.99|80216|303
Salt Lake City, UT|40.76|-111.89|84104|801
Albuquerque, NM|35.08|-106.65|87105|505
Phoenix, AZ|33.45|-112.07|85043|602
Las Vegas, NV|36.17|-115.14|89115|702
Reno, NV|39.53|-119.81|89506|775
Los Angeles, CA|34.05|-118.24|90058|213
Ontario, CA|34.06|-117.65|91761|909
Stockton, CA|37.96|-121.29|95206|209
Fresno, CA|36.74|-119.79|93725|559
Oakland, CA|37.80|-122.27|94621|510
Portland, OR|45.52|-122.68|97218|503
Seattle, WA|47.61|-122.33|98108|206
Spokane, WA|47.66|-117.43|99224|509
Boise, ID|43.62|-116.20|83716|208
Billings, MT|45.78|-108.50|59101|406`;

function parseCity(line: string): City {
	const [name = '', latitude, longitude, zip = '', areaCode = ''] = line.split('|');
	return { name, latitude: Number(latitude), longitude: Number(longitude), zip, areaCode };
}

const [first = '', ...rest] = table.split('\n');

/** Real cities where freight is loaded and unloaded. Never empty. */
export const cities: readonly [City, ...City[]] = [parseCity(first), ...rest.map(parseCity)];

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Air miles between two cities. */
export function milesBetween(from: City, to: City): number {
	const halfLatitude = Math.sin(radians(to.latitude - from.latitude) / 2);
	const halfLongitude = Math.sin(radians(to.longitude - from.longitude) / 2);
	const flat = Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude));
	return 7918 * Math.asin(Math.sqrt(halfLatitude ** 2 + flat * halfLongitude ** 2));
}

const spelling = (name: string): string =>
	name
		.toLowerCase()
		.replace(/\s*,\s*/, ', ')
		.trim();

const byName = new Map(cities.map((place) => [spelling(place.name), place]));

/** The city named "City, ST", in upper or lower case; undefined if the sandbox doesn't know it. */
export const findCity = (name: string): City | undefined => byName.get(spelling(name));
