/** A value as JSON can hold it. */
export type Json = string | number | boolean | null | { [key: string]: Json } | Json[];
