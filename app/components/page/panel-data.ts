/** The data of a panel, or the id under which the server's log has the reason for its failure. */
export type PanelData<T> = { ok: true; value: T } | { ok: false; reference: string };

/** The data of a panel that could be loaded. */
export type PanelValue<Panel> = Extract<Awaited<Panel>, { ok: true }> extends { value: infer Value } ? Value : never;
