/** The values of each facet of a list with the number of rows that they leave. `bounded`: there are more rows than were counted. */
export type FacetCounts = {
  bounded: boolean;
  facets: { name: string; chosen: string; counts: { value: string; count: number }[] }[];
};

/** Of a list in which nothing is counted: it can be narrowed, but nobody says by how much. */
export const NO_COUNTS: FacetCounts = { bounded: false, facets: [] };
