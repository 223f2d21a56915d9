export const FACETS = ['reach', 'category', 'transport', 'licence', 'source'] as const;
export type Facet = (typeof FACETS)[number];
export type FacetCounts = Record<Facet, { value: string; count: number }[]>;

/** The value of `source` for what came with the product. */
export const CATALOGUE = 'catalogue';
