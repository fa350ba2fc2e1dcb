/** What a client is told of classes: their members and supertypes ({@code spec/bridge.md} section 9). */
package io.samewire.bridge.describe;
