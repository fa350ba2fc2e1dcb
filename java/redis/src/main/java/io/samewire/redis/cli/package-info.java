/** The command line: {@link io.samewire.redis.cli.Main} runs commands and shows replies. */
package io.samewire.redis.cli;
