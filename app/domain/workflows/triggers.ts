/** The context under which a webhook's secret is sealed. */
export const hookSealContext = (id: string) => `triggers:${id}`;
