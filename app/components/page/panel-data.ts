/** What a panel gets: its data, or the id under which the server's log knows why there is none. */
export type PanelData<T> = { ok: true; value: T } | { ok: false; reference: string };

/** What a panel's data holds where it could be loaded. */
export type PanelValue<Panel> = Extract<Awaited<Panel>, { ok: true }> extends { value: infer Value } ? Value : never;
