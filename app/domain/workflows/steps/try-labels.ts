/** Labels of the steps that are tried, and of those that run when one of them has failed. */
export const TRIED = 'steps';
export const ON_ERROR = 'on_error';
