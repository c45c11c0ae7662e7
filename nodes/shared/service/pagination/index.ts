export { readList } from './list';
export { findRow } from './find';
export type { List, Paging } from './types';
