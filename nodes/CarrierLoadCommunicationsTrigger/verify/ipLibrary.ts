/** What is needed of ipaddr.js. The build bundles the library into this file (gulpfile.js). */
export { IPv4, IPv6, parse, parseCIDR } from 'ipaddr.js';
