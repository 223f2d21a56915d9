/** Characters that the reason of a control change may have. In a file of its own, since forms need it and the schemas of changes do not go to browsers. */
export const CONTROL_REASON_MAX = 1000;
