/** Parameter of an address of the app area: `stored` shows the texts of the demo as they are stored. */
export const TEXTS_PARAM = 'texts';
export const STORED_TEXTS = 'stored';
