export { readList } from './list';
export { findRow } from './find';
export { readPage } from './page';
export type { List, Paging } from './types';
