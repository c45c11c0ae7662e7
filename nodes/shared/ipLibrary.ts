/** The parts of ipaddr.js in use. The build bundles the library into this file (gulpfile.js). */
export { IPv4, IPv6, parse, parseCIDR } from 'ipaddr.js';
