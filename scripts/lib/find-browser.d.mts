/** Path of a browser that starts, or null. The environment variable VAGEN_BROWSER overrides the search. */
export function findBrowser(): Promise<string | null>;
