// Whether the user may have drawings compared by models of their own. The embedded player starts no workers, so it offers none.
import { createContext } from "react";

export const WithModels = createContext(true);
