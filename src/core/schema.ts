// zod as the studio uses it: without compiled parsers. Compiling needs eval, which the page's policy blocks, and even zod's
// attempt would be reported as a violation. It has to be switched off before the first schema exists, hence this module.
import { z } from "zod";

z.config({ jitless: true });

export { z };
